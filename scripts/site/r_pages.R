# Rscript scripts/site/r_pages.R: the pages of r/man as pages of the site, in build/r_pages/reference/r.
to <- "build/r_pages/reference/r"
unlink("build/r_pages", recursive = TRUE)
dir.create(to, recursive = TRUE)
options(help.htmlmath = "")

files <- list.files("r/man", "[.]Rd$", full.names = TRUE)
page_of <- function(file) sub("[.]Rd$", "", basename(file))
pages <- lapply(files, tools::parse_Rd)

# Topics, and the page that documents each.
aliases <- lapply(pages, function(page) {
  tags <- vapply(page, attr, "", "Rd_tag")
  vapply(page[tags == "\\alias"], function(alias) paste(unlist(alias), collapse = ""), "")
})
links <- setNames(rep(paste0(page_of(files), ".html"), lengths(aliases)), unlist(aliases))

for (i in seq_along(files)) {
  html <- tempfile(fileext = ".html")
  # R's own check finds links to topics that are missing; here those of other packages are.
  suppressWarnings(tools::Rd2HTML(pages[[i]], html, package = "gpcv", Links = links, Links2 = character(),
                                  stages = c("build", "install", "render")))
  text <- paste(readLines(html, encoding = "UTF-8"), collapse = "\n")
  # The page between its title and its foot; links to pages of other packages lead nowhere on this site.
  title <- sub(".*<h2[^>]*>(.*)</h2>.*", "\\1", text)
  text <- sub(".*</h2>", "", sub("<hr[^>]*>.*", "", text))
  text <- gsub("<a href=\"[^\"]*[.][.]/[^\"]*\">(.*?)</a>", "\\1", text, perl = TRUE)
  text <- gsub("<a href=\"[^\"]*[.][.]/[^\"]*\"><code>(.*?)</code></a>", "<code>\\1</code>", text, perl = TRUE)
  text <- gsub("h3>", "h2>", text, fixed = TRUE)
  lines <- c(paste("#", page_of(files[i])), "", gsub("<[^>]*>", "", title), "", "<div class=\"rd\">", text, "</div>")
  writeLines(lines, file.path(to, paste0(page_of(files[i]), ".md")), useBytes = TRUE)
}
