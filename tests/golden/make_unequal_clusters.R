# Golden values of clubSandwich for the mean over clusters of unequal size.
#
# With R and its packages clubSandwich and jsonlite (in Debian: r-cran-clubsandwich,
# r-cran-jsonlite) run
#
#     Rscript tests/golden/make_unequal_clusters.R > tests/golden/unequal_clusters.json
suppressMessages(library(clubSandwich))

layouts <- list(c(3, 1, 2, 5), c(60, rep(4, 9)), rep(c(1, 2, 20, 20, 1), 4), c(7, 7, 7))
set.seed(1618)
made <- lapply(layouts, function(sizes) {
  cluster <- rep(seq_along(sizes), sizes)
  hits <- rbinom(length(cluster), 1, rbeta(length(sizes), 1, 2)[cluster])
  fit <- lm(hits ~ 1)
  robust <- vcovCR(fit, cluster = cluster, type = "CR2")
  test <- coef_test(fit, robust, test = "Satterthwaite")
  degrees <- if ("df_Satt" %in% names(test)) test$df_Satt else test$df
  list(
    sizes = sizes, hits = hits, mean = unname(coef(fit)),
    error = sqrt(robust[1, 1]), freedom = degrees
  )
})
tools <- paste("clubSandwich", packageVersion("clubSandwich"), "on", R.version.string)
cat(jsonlite::toJSON(list(tools = tools, studies = made), digits = 15, auto_unbox = TRUE), "\n")
