#include "help_topics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <string_view>

#include "gpcv/fit.hpp"
#include "gpcv/kernel.hpp"
#include "gpcv/kernel_names.hpp"

namespace gpcv::command {
namespace {

/// Formula of a kernel family; empty for one that is not known here.
std::string_view formula_of(const std::string& family) {
  static const std::map<std::string, std::string_view, std::less<>> formulas{
      {"se", "s2 exp(-r^2/2), the squared exponential: smooth functions"},
      {"lp", "locally periodic: periodic times se, one length scale l in both"},
      {"periodic", "s2 exp(-2 sum_c sin^2(pi (x_c - x'_c)/p) / l_c^2), with the period p"},
      {"matern12", "s2 exp(-r): rough functions without a slope"},
      {"matern32", "s2 (1 + sqrt(3) r) exp(-sqrt(3) r): functions with a slope"},
      {"matern52", "s2 (1 + sqrt(5) r + 5 r^2/3) exp(-sqrt(5) r): functions with a curvature"},
      {"rq", "s2 (1 + r^2/(2 alpha))^-alpha: length scales of several sizes"},
      {"linear", "s2 sum_c x_c x'_c: straight lines; with ard s2 sum_c x_c x'_c / l_c^2"},
      {"const", "s2: one offset for all rows"}};
  const auto found = formulas.find(family);
  return found == formulas.end() ? "" : found->second;
}

/// Texts separated by commas, in indented lines.
std::string indented_list(const std::vector<std::string>& words) {
  constexpr std::size_t width = 100;
  std::string text, line = " ";
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word = " " + words[i] + (i + 1 < words.size() ? "," : "");
    if (line.size() + word.size() > width) {
      text += line + "\n";
      line = " ";
    }
    line += word;
  }
  return text + line + "\n";
}

std::string kernel_text() {
  std::string text = "Base kernels, with r^2 = sum_c (x_c - x'_c)^2 / l_c^2 over the input columns c:\n\n";
  for (const std::string& family : family_names()) text += fmt::format("  {:<10}{}\n", family, formula_of(family));
  std::vector<std::string> aliases;
  for (const auto& [alias, family] : family_aliases()) aliases.push_back(fmt::format("{} = {}", alias, family));
  text += "\nUsual names of other libraries are known in any case of letters:\n\n" + indented_list(aliases);
  text +=
      "\nKernels are joined by + and *, with brackets where needed:\n\n"
      "  se(ard)                              one length scale per input; without ard one for all\n"
      "  se(l=3, s2=1:fixed) + lp(l=1, p=2)   start values; ':fixed' holds a value\n"
      "  rq(l=0.5 in [0.01,10])               bounds\n"
      "  se(l=[0.3,1.2])                      a start value for each length scale\n"
      "  matern52(ard, on=[age,2])            only the input age and, counted from 0, input 2\n"
      "  se(on=\"wind speed\")                  quotes around a name with blanks, commas or brackets\n"
      "  se(l=0.5@a) + lp(l=@a)               tie two parameters to one value\n"
      "  2*rbf + 0.1*linear                   variances to start from\n\n"
      "Parameters: l length scale, s2 variance, p period, alpha shape of rq. They are in standardised units:\n"
      "see 'gpcv help units'. The kernel that fit prints can be typed again.\n\n"
      "  auto                                 chosen by cross-validation (the default) among these, which\n"
      "                                       --candidates A,B restricts:\n\n";
  return text + indented_list(candidate_names());
}

constexpr const char* fold_text =
    "Split the rows in the way in which new data will differ from these. The folds determine how the error is\n"
    "measured and also what is minimised. At most one of:\n\n"
    "  --folds 5               5 random folds (the default); --seed chooses them\n"
    "  --folds 5:interleaved   row i is in fold i mod 5: a fine regular grid, to be interpolated\n"
    "  --folds N               with as many folds as rows: leave-one-out\n"
    "  --holdout 0.2           one random fifth of the rows is predicted from the others (admm: 0.5)\n"
    "  --groups patient[:K]    rows with one value stay together: patients, sites, batches. The column is no\n"
    "                          input unless --features names it\n"
    "  --blocks 5              5 contiguous blocks in the order of the table\n"
    "  --blocks 5:depth        in the order of a column, which stays an input\n"
    "  --blocks 5:kmeans       regions of the inputs, each predicted from the rows outside it\n"
    "  --time date             5 blocks of equal row counts, each predicted from all rows before it\n"
    "  --time date:8:0.5       8 blocks of WIDTH 0.5 in the column's units, spread over the record; dates\n"
    "                          count in years\n"
    "  --fold-column fold      folds of the table; rows with empty cells only train\n\n"
    "These folds choose the kernel and the parameters. Where that is quick, fit and cv repeat the whole training in\n"
    "outer folds of the same kind and report the error of rows that those trainings have not seen; --assess inner\n"
    "reports the error of the folds themselves, --assess nested asks for outer folds whatever they cost.\n\n"
    "Signs of wrong folds: later data are predicted worse than 'cv rmse' says; 'cv rmse' jumps from random folds to\n"
    "groups or blocks; a length scale is much shorter than you can explain.\n";

constexpr const char* transform_text =
    "--transform trains on T(y) and predicts y. Predictions, intervals and scores are in the units of y, and\n"
    "intervals respect its bounds.\n\n"
    "  none                  T(y) = y (the default)\n"
    "  log, log:A            log(y + A), for y > -A: prices, concentrations; A = 1 where there are zeros\n"
    "  logit, logit:L:U      log((y - L)/(U - y)), for L < y < U: shares, and percentages with logit:0:100\n"
    "  sqrt                  the square root, for y >= 0: counts\n"
    "  yeo-johnson           a power of y - median in units of its spread, for any y: skewed targets;\n"
    "                        yeo-johnson:LAMBDA holds LAMBDA between 0 and 2, otherwise it is trained\n"
    "  auto                  compares those that suit all targets, and none, by the CRPS of held-out rows\n\n"
    "'mean' is the mean of new rows in the units of y; predict --quantiles 0.5 adds the median. --latent describes\n"
    "the median of new rows. --components, the noise and the amplitudes belong to T(y) and are labelled so.\n"
    "--noise-column is in units of y and excludes a transform; --weight-column does not. --covariance is refused\n"
    "with a transform: --samples writes joint draws instead.\n\n"
    "Example:\n"
    "  gpcv fit houses.csv --target price --transform log -o houses.h5\n"
    "  gpcv predict houses.h5 new.csv --quantiles 0.5\n";

constexpr const char* unit_text =
    "Inputs and target are standardised before training (--no-standardize leaves them as they are):\n\n"
    "  several inputs        each is shifted to mean 0 and scaled to standard deviation 1\n"
    "  a single input        is only shifted, so that a period or length scale typed in years stays in years\n"
    "  the target            is shifted and scaled to standard deviation 1, after its transform\n\n"
    "In standardised units are what the kernel says (l, s2, p), the noise variance of --noise and in the line\n"
    "'noise', and 'objective'.\n\n"
    "In units of the table are\n\n"
    "  length scales, periods and amplitudes in the lines 'parameters' of fit and of info MODEL\n"
    "  cv rmse, rmse and crps                    units of the target\n"
    "  mean, std, lower, upper of predict        units of the target; std includes the noise, --latent leaves it out\n"
    "  noise_std of --json                       units of the target, of T(y) with a transform\n"
    "  --noise-column                            standard deviation of each row's noise, units of the target\n"
    "  --time date:8:WIDTH                       units of the column; dates count in years\n\n"
    "Without units are smse (mean squared error over the variance of the target: 1 is no better than its mean), nlpd,\n"
    "whose zero depends on the units of the target, and coverages, which should match the interval's probability.\n"
    "--weight-column has ratios: the noise variance of a row is the trained one divided by its weight.\n";

constexpr const char* exit_code_text =
    "  0   success\n"
    "  1   training did not converge, ran into a limit, was stopped, or broke down numerically; fit still writes the\n"
    "      model whenever there is one, and says why it stopped. Of check: never\n"
    "  2   bad input or usage, or a budget of memory that cannot be met; one message on standard error, and no file\n"
    "      is written. Of check: training would not start\n"
    "  3   internal error, or out of memory\n\n"
    "Output files are replaced as a whole or not at all, so that existing models survive every failure. A file that\n"
    "is replaced keeps its permissions.\n\n"
    "Standard output has results, standard error messages. --quiet prints nothing but errors, and one line when\n"
    "training ends with 1; --json prints one object on standard output.\n\n"
    "Ctrl-C ends every command at once with 1 and writes nothing, but for fit once the first error of the training\n"
    "is known: it then writes the best model so far and ends with 1; a second Ctrl-C ends it at once.\n";

constexpr const char* table_text =
    "  files             CSV, TSV, or another delimiter of ; and |; gzip or zstd; - is the standard input; fit, "
    "check,\n"
    "                    cv and compare take several files with the same header\n"
    "  text              UTF-8; Latin-1 and UTF-16 with a byte-order mark are converted, which is said\n"
    "  header            --header auto, yes or no: whether the first line names the columns\n"
    "  comments          lines before the table that begin with #\n"
    "  columns           are given by name or by number from 0, negative from the end: --target -1 is the last.\n"
    "                    --features a,b chooses inputs, separated by commas without blanks; default: all others\n"
    "  identifiers       --id c: never an input, copied to the output of predict and cv\n"
    "  categories        --categorical c: each level of a text becomes an indicator. A level that training has not\n"
    "                    seen is refused, or with --unseen average predicted as the mixture of all levels\n"
    "  numbers           1234.5; where cells have other marks the whole column decides: 1,234.5  1.234,5  1 234,5\n"
    "                    45 % (0.45). What was assumed is said; --decimal comma or point decides it\n"
    "  missing cells     empty, . - ? NA N/A NaN NULL None nil #N/A, errors of spreadsheets, and the texts of --na.\n"
    "                    --missing drop leaves their rows out; predict then leaves their predictions empty\n"
    "  dates             see 'gpcv help dates'\n\n"
    "predict and evaluate find columns by name when both tables have a header, otherwise by position: the table then\n"
    "has all columns of the training table, or for predict just the inputs in their order.\n"
    "'gpcv check DATA --target T' says what is odd about a table before any work.\n";

constexpr const char* date_text =
    "A column of dates becomes decimal years in UTC, as an input or as the column of --time:\n\n"
    "  2020-06-01                        a day\n"
    "  2020-06-01T12:30:00.5+02:00       a time, with fractions of a second and a zone; without one it is UTC\n"
    "  2020-06                           the beginning of a month\n\n"
    "Length scales, periods and the WIDTH of --time are then in years: a period of one year is p=1.\n\n"
    "A model of dates accepts dates, decimal years and whole columns of 20200601; other numbers are refused.\n\n"
    "Examples:\n"
    "  gpcv fit sales.csv --target sold --features date --kernel 'se + lp(p=1)' --time date:5:0.25\n"
    "  gpcv fit sales.csv --target sold --time date -o sales.h5\n\n"
    "The second one predicts each of 5 blocks from all rows before it; the column date is an input as well.\n";

constexpr const char* target_text =
    "fit and check take several targets. They are trained one after the other, on the same folds, into one model:\n\n"
    "  --target a,b,c          three targets; all other columns are inputs\n"
    "  --target 'y*'           all columns whose names begin with y; quotes keep the shell away\n"
    "  --share-kernel          the same length scales and ratio of noise to signal for all\n\n"
    "A row with a missing cell of one target still trains the others. --trace, --report and --checkpoint have a file\n"
    "for each target: page.NAME.html. cv and compare take one target.\n\n"
    "Of a model of several targets,\n\n"
    "  predict                 writes NAME.mean,NAME.std,NAME.lower,NAME.upper of each\n"
    "  evaluate                scores each\n"
    "  info                    lists them; --target NAME describes one\n"
    "  report, plot            need --target NAME\n"
    "  predict --samples, --covariance and --components need --target NAME as well\n\n"
    "Example:\n"
    "  gpcv fit soil.csv --target clay,sand,silt -o soil.h5\n"
    "  gpcv predict soil.h5 new.csv --target clay\n";

}  // namespace

std::vector<HelpTopic> help_topics() {
  return {{"kernels", "covariance functions: formulas, parameters, grammar", kernel_text()},
          {"folds", "kinds of folds, and which suits which data", fold_text},
          {"transforms", "transforms of skewed or bounded targets", transform_text},
          {"units", "which numbers are in which units", unit_text},
          {"exit-codes", "exit codes, and what is written when", exit_code_text},
          {"tables", "files, columns, numbers and missing cells", table_text},
          {"dates", "columns of dates", date_text},
          {"targets", "several targets in one model", target_text}};
}

std::string topic_list() {
  std::string text = "Topics of 'gpcv help TOPIC':\n";
  for (const HelpTopic& topic : help_topics()) text += fmt::format("  {:<28}{}\n", topic.name, topic.summary);
  return text;
}

}  // namespace gpcv::command
