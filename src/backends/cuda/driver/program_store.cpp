#include "backends/cuda/driver/program_store.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <system_error>
#include <utility>

#include "backends/cuda/driver/compiler.hpp"
#include "backends/cuda/driver/device.hpp"
#include "core/clock.hpp"

namespace gpcv::cuda {
namespace {

std::atomic<ProgramStore*> in_use = nullptr;

}  // namespace

ProgramStore& ProgramStore::instance() {
  static const Compiler& compiler = Compiler::instance();
  static const int capability = chosen_capability();
  static ProgramStore store([](const std::string& source) { return compiler.compile(source, capability).image; },
                            fmt::format("{}, {}", fmt::join(compiler.options(capability), " "), compiler.version()),
                            ProgramCache::default_folder());
  in_use = &store;
  return store;
}

CompilationCost ProgramStore::cost() {
  const ProgramStore* store = in_use;
  return store == nullptr ? CompilationCost() : store->cost_of_all();
}

void ProgramStore::end_background() {
  if (ProgramStore* store = in_use) store->abandon();
}

ProgramStore::ProgramStore(Compile compile, std::string options, std::filesystem::path folder)
    : compile_(std::move(compile)), options_(std::move(options)), cache_(std::move(folder)) {}

void ProgramStore::abandon() {
  std::vector<std::future<void>> ending;  // their destructors wait
  const std::lock_guard<std::mutex> held(mutex_);
  for (const std::string& key : waiting_) {
    const auto program = programs_.find(key);
    if (program != programs_.end() && program->second.state == State::waiting) programs_.erase(program);
  }
  waiting_.clear();
  ending.swap(threads_);
}

void ProgramStore::foresee(const std::vector<std::string>& sources, int threads) {
  const std::lock_guard<std::mutex> held(mutex_);
  for (const std::string& source : sources) {
    const std::string key = key_of(source);
    Program program;
    program.source = source;
    program.foreseen = true;
    if (programs_.emplace(key, std::move(program)).second) waiting_.push_back(key);
  }
  std::erase_if(threads_, [](const std::future<void>& thread) {
    return thread.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  });
  const int wanted = std::min(threads, static_cast<int>(waiting_.size()));
  try {
    for (; working_ < wanted; ++working_) threads_.push_back(std::async(std::launch::async, [this] { work(); }));
  } catch (const std::system_error&) {
    return;  // there are no more threads: programs are made when they are needed
  }
}

void ProgramStore::work() {
  std::unique_lock<std::mutex> held(mutex_);
  while (!waiting_.empty()) {
    const std::string key = std::move(waiting_.front());
    waiting_.pop_front();
    Program& program = programs_.at(key);
    if (program.state == State::waiting) make(key, program, held);
  }
  --working_;
}

void ProgramStore::make(const std::string& key, Program& program, std::unique_lock<std::mutex>& held) {
  program.state = State::in_progress;
  held.unlock();
  Image image;
  std::exception_ptr failure;
  bool found = false;
  try {
    if (auto stored = cache_.find(key)) {
      found = true;
      image = std::make_shared<const std::vector<char>>(std::move(*stored));
    } else {
      image = compile(key, program.source);
    }
  } catch (...) {
    failure = std::current_exception();
  }
  held.lock();
  if (!found && !program.foreseen) ++cost_.unforeseen;
  program.image = std::move(image);
  program.failure = failure;
  program.state = failure ? State::failed : State::ready;
  made_.notify_all();
}

ProgramStore::Image ProgramStore::compile(const std::string& key, const std::string& source) {
  const Stopwatch watch;
  Image image = std::make_shared<const std::vector<char>>(compile_(source));
  {
    const std::lock_guard<std::mutex> held(mutex_);
    ++cost_.kernels;
    cost_.seconds += watch.seconds();
  }
  cache_.store(key, *image);
  return image;
}

ProgramStore::Image ProgramStore::image(const std::string& source) {
  const Stopwatch watch;
  const std::string key = key_of(source);
  std::unique_lock<std::mutex> held(mutex_);
  const auto [entry, unforeseen] = programs_.try_emplace(key);
  Program& program = entry->second;  // the address of an entry of a map never changes
  if (unforeseen) program.source = source;
  if (program.state == State::waiting) make(key, program, held);
  made_.wait(held, [&] { return program.state == State::ready || program.state == State::failed; });
  cost_.waited += watch.seconds();
  if (program.failure) std::rethrow_exception(program.failure);
  return program.image;
}

ProgramStore::Image ProgramStore::compiled_anew(const std::string& source) {
  const std::string key = key_of(source);
  Image image = compile(key, source);
  const std::lock_guard<std::mutex> held(mutex_);
  programs_.at(key).image = image;
  return image;
}

CompilationCost ProgramStore::cost_of_all() const {
  const std::lock_guard<std::mutex> held(mutex_);
  return cost_;
}

}  // namespace gpcv::cuda
