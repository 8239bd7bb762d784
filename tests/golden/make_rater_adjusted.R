# Make rater_adjusted.json: means of systems adjusted for raters, by lme4, errors by dense algebra.
#
#     Rscript tests/golden/make_rater_adjusted.R
#
# The fit is lmer's. CR2 errors over cases and their Satterthwaite degrees of freedom are worked out
# here with whole matrices, as Pustejovsky and Tipton (2018) write them, at lmer's variances.

library(lme4)
library(jsonlite)

set.seed(20261124)

root <- function(m, power) {
  e <- eigen((m + t(m)) / 2, symmetric = TRUE)
  keep <- e$values > 1e-8 * max(e$values)
  vectors <- e$vectors[, keep, drop = FALSE]
  vectors %*% (e$values[keep]^power * t(vectors))
}

study <- function(name, systems, cases, raters, labels, holes = 0, lean = 0, sd_answer = .6) {
  answers <- expand.grid(case = seq_len(cases), system = seq_len(systems))
  answers <- answers[runif(nrow(answers)) >= holes, ]
  answers$answer <- seq_len(nrow(answers))
  rows <- do.call(rbind, lapply(seq_len(nrow(answers)), function(i) {
    p <- rep(1, raters)
    if (lean > 0) p[(answers$system[i] - 1) %% raters + 1] <- 1 + lean * raters
    many <- if (labels == "few") sample(3, 1) else as.integer(labels)
    data.frame(answers[i, ], rater = sample(raters, many, prob = p))
  }))
  severity <- seq(-.7, .7, length.out = raters)
  rows$y <- round(
    3 + .1 * rows$system + severity[rows$rater] + .7 * rnorm(cases)[rows$case] +
      sd_answer * rnorm(nrow(answers))[rows$answer] + .8 * rnorm(nrow(rows)), 3)
  d <- data.frame(y = rows$y, system = factor(rows$system), rater = factor(rows$rater),
                  case = factor(rows$case), answer = factor(rows$answer))
  several <- any(table(d$answer) > 1)
  formula <- if (several) y ~ 0 + system + rater + (1 | case) + (1 | answer)
             else y ~ 0 + system + rater + (1 | case)
  fit <- lmer(formula, d, REML = TRUE, control = lmerControl(
    optimizer = "bobyqa", optCtrl = list(rhoend = 1e-11, maxfun = 1e5),
    check.conv.singular = "ignore"))
  x <- getME(fit, "X")
  sds <- as.data.frame(VarCorr(fit))
  sd_of <- function(g) if (any(sds$grp == g)) sds$sdcor[sds$grp == g] else 0
  z <- function(f) model.matrix(~ 0 + f)
  v <- sd_of("case")^2 * tcrossprod(z(d$case)) + sd_of("Residual")^2 * diag(nrow(d))
  if (several) v <- v + sd_of("answer")^2 * tcrossprod(z(d$answer))
  w <- root(v, -.5)
  xs <- w %*% x
  es <- as.vector(w %*% (d$y - x %*% fixef(fit)))
  m <- solve(crossprod(xs))
  # The levels: raters weigh as often as they judged; the first has no column.
  share <- as.vector(table(d$rater)) / nrow(d)
  s <- nlevels(d$system)
  r <- nlevels(d$rater)
  level <- rbind(
    cbind(diag(s), matrix(rep(share[-1], each = s), s)),
    cbind(matrix(0, r, s), rbind(0, diag(r - 1)) - matrix(rep(share[-1], each = r), r)))
  first <- c(1, 1, 2); second <- c(2, 3, 3)
  all <- rbind(level, level[first, ] - level[second, ])
  by <- split(seq_len(nrow(d)), d$case)
  pieces <- lapply(by, function(i) {
    own <- xs[i, , drop = FALSE]
    a <- root(diag(length(i)) - own %*% m %*% t(own), -.5)
    all %*% m %*% t(own) %*% a
  })
  told <- sapply(names(by), function(k) pieces[[k]] %*% es[by[[k]]])
  error <- sqrt(rowSums(told^2))
  hat <- diag(nrow(d)) - xs %*% m %*% t(xs)
  freedom <- sapply(seq_len(nrow(all)), function(j) {
    g <- matrix(0, length(by), nrow(d))
    for (k in seq_along(by)) g[k, by[[k]]] <- pieces[[k]][j, ]
    p <- g %*% hat %*% t(g)
    sum(diag(p))^2 / sum(p^2)
  })
  list(name = name, values = d$y, system = as.integer(d$system) - 1, rater = as.integer(d$rater) - 1,
       case = as.integer(d$case) - 1, answer = as.integer(d$answer) - 1,
       estimates = as.vector(all %*% fixef(fit)), errors = error, freedom = freedom,
       case_sd = sd_of("case"), answer_sd = sd_of("answer"), residual_sd = sd_of("Residual"),
       first = first - 1, second = second - 1)
}

designs <- list(
  study("one label an answer, unevenly", 4, 20, 3, "1", lean = 1),
  study("two labels an answer", 3, 15, 5, "2"),
  study("one to three labels, holes", 5, 16, 6, "few", holes = .15, lean = .5),
  study("answers alike", 3, 12, 4, "2", sd_answer = 0)
)
versions <- list(R = as.character(getRversion()), lme4 = as.character(packageVersion("lme4")))
write(toJSON(list(versions = versions, designs = designs), digits = 12, auto_unbox = TRUE),
      "tests/golden/rater_adjusted.json")
