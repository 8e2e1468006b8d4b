/** Max calls the server accepts in one batch. */
export const BATCH_MAX = 20

/** Some proxies reject longer URLs. */
export const URL_CHARS_MAX = 4_000
