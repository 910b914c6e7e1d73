/// The fixed parts of the generated CUDA C++.
#pragma once

namespace gpcv::cuda {

extern const char* const device_text;       ///< instructions that host C++ lacks
extern const char* const constant_text;     ///< sizes, as a format string
extern const char* const polynomial_text;   ///< elementary functions, as a format string
extern const char* const arguments_text;    ///< the arguments of a launch, and points
extern const char* const item_text;         ///< a column point with its right-hand sides
extern const char* const apply_text;        ///< y = K v
extern const char* const tensor_item_text;  ///< a column point alone
extern const char* const tensor_text;       ///< y = K v on tensor cores
extern const char* const derivatives_text;  ///< j = (∂K/∂log θ) v
extern const char* const contract_text;     ///< g = uᵀ (∂K/∂log θ) v
extern const char* const entries_text;      ///< the numbers k(a, b)
extern const char* const choose_text;       ///< the most informative single points for each row point
extern const char* const neighbours_text;   ///< kᵀ (K_SS + σ²I)⁻¹ k of many small sets S
extern const char* const reduce_text;       ///< the sum over splits

}  // namespace gpcv::cuda
