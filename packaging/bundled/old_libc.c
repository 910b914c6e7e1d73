/* Functions that are newer than glibc 2.28, for programs that are to run with it. g++ and its static libstdc++ refer to them
   because they were compiled beside a newer glibc; everything else of glibc is older or has an older version. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sys/random.h>
#include <time.h>

#define HIDDEN __attribute__((visibility("hidden")))

/* Whether the process has one thread, glibc 2.32: "no" is always right, and costs an atomic increment. */
HIDDEN char __libc_single_threaded = 0;

/* 32 random bits, glibc 2.36: what std::random_device reads. */
HIDDEN unsigned arc4random(void) {
  unsigned bits = 0;
  while (getrandom(&bits, sizeof bits, 0) != (ssize_t)sizeof bits) {
  }
  return bits;
}

/* Waits until a time of any clock, glibc 2.30: the time that is left is waited for by the clock of the condition. */
HIDDEN int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                  const struct timespec* until) {
  struct timespec now, there;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &there);
  there.tv_sec += until->tv_sec - now.tv_sec;
  there.tv_nsec += until->tv_nsec - now.tv_nsec;
  if (there.tv_nsec < 0) {
    there.tv_nsec += 1000000000;
    --there.tv_sec;
  } else if (there.tv_nsec >= 1000000000) {
    there.tv_nsec -= 1000000000;
    ++there.tv_sec;
  }
  return pthread_cond_timedwait(condition, mutex, &there);
}

/* The versions of glibc 2.29 differ in errno alone. The linker gives these names to every call (--wrap). */
#define OLD(name, arguments, values)                                     \
  double old_##name arguments;                                           \
  __asm__(".symver old_" #name ", " #name "@GLIBC_2.2.5");               \
  HIDDEN double __wrap_##name arguments { return old_##name values; }
OLD(exp, (double x), (x))
OLD(exp2, (double x), (x))
OLD(log, (double x), (x))
OLD(log2, (double x), (x))
OLD(pow, (double x, double y), (x, y))
