/// Text in and text out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "gpcv/error.hpp"
#include "support/random_kernel.hpp"

namespace gpcv {
namespace {

using testing::HasSubstr;

struct Round {
  const char* written;
  const char* printed;
};

TEST(KernelGrammar, PrintsWhatItRead) {
  for (const auto& [written, printed] : {
           Round{"se(l=3, s2=1:fixed) + lp(l=1, p=2)", "se(l=3, s2=1:fixed) + lp(l=1, p=2)"},
           Round{"se", "se"},
           Round{"se()", "se"},
           Round{" se ( ard ) ", "se(ard)"},
           Round{"matern52(ard,l=0.7)", "matern52(ard, l=0.7)"},
           Round{"se(l=[0.3,1.2])", "se(l=[0.3,1.2])"},
           Round{"se(on=[0,2])", "se(on=[0,2])"},
           Round{"se(l=0.5@a)+lp(l=@a)", "se(l=0.5@a) + lp(l=@a)"},
           Round{"se(l=0.5 in [0.01,10])", "se(l=0.5 in [0.01,10])"},
           Round{"se(l=0.5:fixed in [0.01,10])", "se(l=0.5:fixed in [0.01,10])"},
           Round{"se(l=0.5 in [0.01,10]:fixed)", "se(l=0.5:fixed in [0.01,10])"},
           Round{"rq(alpha=2,l=1e-3)", "rq(l=0.001, alpha=2)"},
           Round{"se*(lp+rq)*const", "se * (lp + rq) * const"},
           Round{"se+(lp+rq)", "se + lp + rq"},
           Round{"se*(lp*rq)", "se * lp * rq"},
           Round{"((se))", "se"},
           Round{"se(l=[1,2]:fixed)", "se(l=[1,2]:fixed)"},
           Round{"se(l=[1:fixed,2 in [1,3]])", "se(l=[1:fixed,2 in [1,3]])"},
           Round{"se(l=[1@a,@a])", "se(l=[1@a,@a])"},
           Round{"linear(ard)", "linear(ard)"},
           Round{"se(l=0.5:fixed@a) + lp(l=@a)", "se(l=0.5@a:fixed) + lp(l=@a)"},
       }) {
    EXPECT_EQ(Kernel::parse(written).to_string(), printed);
    EXPECT_EQ(Kernel::parse(printed).to_string(), printed);
  }
}

TEST(KernelGrammar, RandomExpressionsRoundTrip) {
  Random random(21);
  for (int trial = 0; trial < 500; ++trial) {
    const Index d = 1 + static_cast<Index>(random.below(5));
    const Kernel kernel = Kernel::parse(random_expression(random, d, 1 + static_cast<int>(random.below(4)))).bind(d);
    const std::string text = kernel.to_string();
    const Kernel again = Kernel::parse(text).bind(d);
    EXPECT_EQ(again.to_string(), text);
    ASSERT_EQ(again.parameters().size(), kernel.parameters().size());
    for (std::size_t i = 0; i < kernel.parameters().size(); ++i) {
      EXPECT_EQ(again.parameters()[i].name, kernel.parameters()[i].name);
      EXPECT_EQ(again.parameters()[i].value, kernel.parameters()[i].value);
      EXPECT_EQ(again.parameters()[i].fixed, kernel.parameters()[i].fixed);
    }
  }
}

TEST(KernelGrammar, TrainedValuesRoundTripExactly) {
  for (const char* text : {"se(ard)", "se * periodic(p=1:fixed) + rq", "(se + lp) * (matern12 + rq)",
                           "linear(ard) + const", "se(l=1@a) + matern32(l=@a)", "const * se"}) {
    Kernel kernel = Kernel::parse(text).bind(3);
    Random random(5);
    Vector theta = kernel.theta();
    for (double& t : theta) t = std::exp(random.normal());
    kernel = kernel.with({theta.data(), static_cast<std::size_t>(theta.size())});
    const Kernel again = Kernel::parse(kernel.to_string()).bind(3);
    EXPECT_EQ(again.theta(), kernel.theta()) << kernel.to_string();
  }
}

TEST(KernelGrammar, FewerDigitsAreForPeopleOnly) {
  EXPECT_EQ(Kernel::parse("se(l=0.123456789)").to_string(4), "se(l=0.1235)");
  EXPECT_EQ(Kernel::parse("se(l=0.123456789)").to_string(), "se(l=0.123456789)");
}

struct Wrong {
  const char* text;
  std::size_t position;
  const char* says;
};

TEST(KernelGrammar, ErrorsPointAtThePlaceAndSayWhatWasExpected) {
  for (const auto& [text, position, says] : {
           Wrong{"", 0, "expected a kernel: se, lp"},
           Wrong{"sex", 0, "expected a kernel"},
           Wrong{"materm32", 0, "did you mean matern32?"},
           Wrong{"se + WhiteKernel(1)", 5, "noise is no kernel"},
           Wrong{"matern(nu=3)", 10, "nu is 0.5, 1.5 or 2.5"},
           Wrong{"matern32(nu=1.5)", 9, "matern32 has no 'nu'"},
           Wrong{"2*se(s2=1 in [0.5,1.5])", 2, "makes the variance 2, outside its bounds [0.5,1.5]"},
           Wrong{"se + ", 5, "expected a kernel"},
           Wrong{"se se", 3, "expected '+', '*' or the end"},
           Wrong{"se(l=1", 6, "expected ',' or ')'"},
           Wrong{"(se", 3, "expected ')'"},
           Wrong{"se)", 2, "expected '+', '*' or the end"},
           Wrong{"se(q=1)", 3, "se has no 'q'; it takes ard, l, s2, on"},
           Wrong{"const(l=1)", 6, "const has no 'l'; it takes s2"},
           Wrong{"se(p=1)", 3, "se has no 'p'"},
           Wrong{"se(l)", 4, "expected '='"},
           Wrong{"se(l=)", 5, "expected a number"},
           Wrong{"se(l=-1)", 5, "positive"},
           Wrong{"se(l=0)", 5, "positive"},
           Wrong{"se(l=nan)", 5, "expected a number"},
           Wrong{"se(l=1e999)", 5, "expected a number"},
           Wrong{"se(l=1:fix)", 7, "expected 'fixed'"},
           Wrong{"se(l=1 in [2,3])", 5, "outside its own bounds"},
           Wrong{"se(l=1 in [3,2])", 7, "lower bound"},
           Wrong{"se(l=1 in 2)", 10, "expected '['"},
           Wrong{"se(l=@a)", 0, "no value yet"},
           Wrong{"se(l=1@a) + se(l=2@a)", 12, "already has the value 1"},
           Wrong{"se(l=1@a, s2=@a)", 0, "different kinds"},
           Wrong{"se(l=1, l=2)", 8, "twice"},
           Wrong{"se(ard, ard)", 8, "twice"},
           Wrong{"se(on=[0,0])", 9, "twice"},
           Wrong{"se(on=[-1])", 7, "counted from 0"},
           Wrong{"se(on=[0], l=[1,2])", 0, "2 length scales for 1 columns"},
           Wrong{"se(ard, l=1@a)", 0, "listed per column"},
           Wrong{"linear(l=1)", 0, "only with ard"},
           Wrong{"se(l=1@)", 7, "expected a name"},
       }) {
    try {
      Kernel::parse(text);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const KernelSyntaxError& error) {
      EXPECT_EQ(error.position(), position) << text;
      EXPECT_THAT(error.what(), HasSubstr(says)) << text;
      EXPECT_THAT(error.what(), HasSubstr(fmt::format("\n  {}\n  {:>{}}", text, "^", position + 1)));
    }
  }
}

TEST(KernelGrammar, DeepNestingIsRefusedNotCrashed) {
  std::string text(100'000, '(');
  text += "se";
  text.append(100'000, ')');
  EXPECT_THROW(Kernel::parse(text), KernelSyntaxError);
}

TEST(KernelGrammar, LongSumsAndProductsAreRead) {
  for (const char* sign : {"+", "*"}) {
    std::string text = "se(l=1@a)";
    for (int i = 1; i < 20'000; ++i) text += sign + std::string("se");
    EXPECT_EQ(Kernel::parse(text).bind(1).lower().code.size(), 39'999u);
  }
}

TEST(KernelGrammar, RandomDamageNeverCrashes) {
  Random random(31);
  const std::string alphabet = "se lp+*()[]=,@:.0123456789fixdardonin matern rq\t-";
  for (int trial = 0; trial < 5000; ++trial) {
    std::string text = random_expression(random, 3, 3);
    for (std::uint64_t edits = 1 + random.below(4); edits > 0; --edits) {
      text[random.below(text.size())] = alphabet[random.below(alphabet.size())];
    }
    try {
      const Kernel kernel = Kernel::parse(text);
      EXPECT_EQ(Kernel::parse(kernel.to_string()), kernel);
    } catch (const InputError&) {
    }
  }
}

TEST(Grammar, KnowsTheNamesOfOtherLibraries) {
  EXPECT_EQ(Kernel::parse("rbf(ard)"), Kernel::parse("se(ard)"));
  EXPECT_EQ(Kernel::parse("RBF + Matern32 * constant"), Kernel::parse("se + matern32 * const"));
  EXPECT_EQ(Kernel::parse("exponential + rational_quadratic + dot_product + gaussian"),
            Kernel::parse("matern12 + rq + linear + se"));
  EXPECT_EQ(Kernel::parse("RationalQuadratic + DotProduct + ExpSineSquared(p=2) * ConstantKernel"),
            Kernel::parse("rq + linear + periodic(p=2) * const"));
}

TEST(Grammar, AFixedValueOutsideItsBoundsCanBeTypedBack) {
  const Kernel kernel = Kernel::parse("se(s2=1:fixed in [0.5,1.5])");
  std::vector<Parameter> parameters(kernel.parameters().begin(), kernel.parameters().end());
  for (Parameter& parameter : parameters) {
    if (parameter.fixed) parameter.value = 2;
  }
  const std::string text = kernel.with_parameters(parameters).to_string();
  EXPECT_EQ(text, "se(s2=2:fixed)");
  EXPECT_EQ(Kernel::parse(text).to_string(), text);
}

TEST(Grammar, KnowsTheSmoothnessOfMatern) {
  EXPECT_EQ(Kernel::parse("matern(nu=0.5)"), Kernel::parse("matern12"));
  EXPECT_EQ(Kernel::parse("Matern(ard, nu=1.5, s2=2)"), Kernel::parse("matern32(ard, s2=2)"));
  EXPECT_EQ(Kernel::parse("matern(nu=2.5, l=3)"), Kernel::parse("matern52(l=3)"));
  EXPECT_EQ(Kernel::parse("Matern"), Kernel::parse("matern32"));
}

TEST(Grammar, ANumberBeforeAKernelIsItsVariance) {
  EXPECT_EQ(Kernel::parse("2*se"), Kernel::parse("se(s2=2)"));
  EXPECT_EQ(Kernel::parse("0.5 * se(l=3) + 2*3 * rq"), Kernel::parse("se(l=3, s2=0.5) + rq(s2=6)"));
  EXPECT_EQ(Kernel::parse("2*se(s2=3:fixed)"), Kernel::parse("se(s2=6:fixed)"));
  EXPECT_EQ(Kernel::parse("2*se*periodic"), Kernel::parse("se(s2=2)*periodic"));
  EXPECT_THROW(Kernel::parse("2*(se + rq)"), KernelSyntaxError);
  EXPECT_THROW(Kernel::parse("2"), KernelSyntaxError);
  EXPECT_THROW(Kernel::parse("se*2"), KernelSyntaxError);
  EXPECT_THROW(Kernel::parse("0*se"), KernelSyntaxError);
}

}  // namespace
}  // namespace gpcv
