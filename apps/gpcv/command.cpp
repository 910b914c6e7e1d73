#include "command.hpp"

#include <csignal>
#include <map>

#include "core/threads.hpp"

namespace gpcv::command {
namespace {

volatile std::sig_atomic_t stop_requested = 0;

extern "C" void request_stop(int signal) {
  stop_requested = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

void add_compute_options(CLI::App& command, OperatorOptions& options) {
  options.threads = available_threads();
  command.add_option("--threads", options.threads, "Threads to use")->check(CLI::PositiveNumber)->capture_default_str();
  command.add_option("--backend", options.backend, "What evaluates kernels: auto, reference or simd")
      ->check(CLI::IsMember({"auto", "reference", "simd"}))
      ->capture_default_str();
  static const std::map<std::string, Precision> precisions{
      {"double", Precision::double_}, {"mixed", Precision::mixed}, {"single", Precision::single}};
  command.add_option("--precision", options.precision, "Arithmetic of kernel products: double, mixed or single")
      ->transform(CLI::CheckedTransformer(precisions))
      ->default_str("double");
}

void add_header_option(CLI::App& command, Header& header) {
  static const std::map<std::string, Header> choices{
      {"auto", Header::automatic}, {"yes", Header::yes}, {"no", Header::no}};
  command.add_option("--header", header, "Whether the first line of DATA names the columns: auto, yes or no")
      ->transform(CLI::CheckedTransformer(choices))
      ->default_str("auto");
}

StopOnSignal::StopOnSignal() {
  stop_requested = 0;
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
}
StopOnSignal::~StopOnSignal() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}
bool StopOnSignal::requested() { return stop_requested != 0; }

}  // namespace gpcv::command
