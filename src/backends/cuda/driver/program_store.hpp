/// The compiled programs of this process: found on disk, or compiled, several at a time in the background where they
/// are foreseen.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <filesystem>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "backends/cuda/driver/program_cache.hpp"
#include "gpcv/machine.hpp"

namespace gpcv::cuda {

class ProgramStore {
 public:
  using Image = std::shared_ptr<const std::vector<char>>;
  /// Compiles a source; throws Error.
  using Compile = std::function<std::vector<char>(const std::string& source)>;

  /// The store of the device in use.
  static ProgramStore& instance();
  /// What that store has compiled; nothing, where it was never used.
  static CompilationCost cost();
  /// abandon() for that store, if it was ever used.
  static void end_background();

  /// options: what determines an image besides its source, as part of the key on disk.
  ProgramStore(Compile compile, std::string options, std::filesystem::path folder);
  ~ProgramStore() { abandon(); }
  ProgramStore(const ProgramStore&) = delete;
  ProgramStore& operator=(const ProgramStore&) = delete;

  /// Begins to make these programs in the background, in this order, on at most so many threads. A failure is kept for
  /// the caller of image().
  void foresee(const std::vector<std::string>& sources, int threads);

  /// Drops what the background has not begun and waits for the rest. NVRTC makes objects while it compiles that the
  /// exit of the process destroys before any destructor of this class, so whoever foresees calls this before that.
  void abandon();

  /// The program of this source. A program that the background has begun is waited for, another is made here. Throws
  /// the compiler's error.
  Image image(const std::string& source);
  /// The program compiled now, where the driver refuses the one from the disk.
  Image compiled_anew(const std::string& source);

  CompilationCost cost_of_all() const;

 private:
  enum class State { waiting, in_progress, ready, failed };
  struct Program {
    State state = State::waiting;
    bool foreseen = false;
    std::string source;
    Image image;
    std::exception_ptr failure;
  };
  using Programs = std::map<std::string, Program>;  ///< by key

  std::string key_of(const std::string& source) const { return ProgramCache::key({source, options_}); }
  /// Makes a program that the caller has marked as in progress, without the lock, which it takes to keep the result.
  void make(const std::string& key, Program& program, std::unique_lock<std::mutex>& held);
  Image compile(const std::string& key, const std::string& source);
  /// Makes waiting programs until there are none.
  void work();

  const Compile compile_;
  const std::string options_;
  const ProgramCache cache_;
  mutable std::mutex mutex_;
  std::condition_variable made_;
  Programs programs_;
  std::deque<std::string> waiting_;  ///< keys, some of which a caller of image() may have taken over
  int working_ = 0;                  ///< threads in work()
  CompilationCost cost_;
  std::vector<std::future<void>> threads_;
};

}  // namespace gpcv::cuda
