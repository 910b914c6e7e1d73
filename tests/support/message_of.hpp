/// What a refusal says.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "gpcv/error.hpp"

namespace gpcv {

/// The InputError that `work` throws, checked to be one line; empty when it throws none.
template <class Work>
std::string message_of(Work&& work) {
  try {
    work();
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find('\n'), message.npos) << message;
    return message;
  }
  return "";
}

/// The remedy of the gpcv::Error that `work` throws; none when it throws none.
template <class Work>
Remedy remedy_of(Work&& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.remedy();
  }
  return Remedy::none;
}

}  // namespace gpcv
