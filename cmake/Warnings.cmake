# Every target of ours compiles under these.
# g++ 12 sees overlaps and overruns inside std::string that are not there (its bugs 105329 and 105762).
function(gpcv_warnings target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
    $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds>
    $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>
    $<$<BOOL:${GPCV_WERROR}>:-Werror>)
endfunction()
