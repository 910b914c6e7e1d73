library(testthat)
library(gpcv)

test_check("gpcv")
