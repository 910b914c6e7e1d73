# Every target of ours compiles under these.
# -Wno-restrict: g++ 12 sees overlaps inside std::string that are not there (its bug 105329).
function(gpcv_warnings target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
    $<$<BOOL:${GPCV_WERROR}>:-Werror>)
endfunction()
