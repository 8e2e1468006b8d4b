/** Max number of calls that the server accepts in one batch. */
export const BATCH_MAX = 20

/** Max length of a batch's URL in characters. Some proxies reject longer URLs. */
export const URL_CHARS_MAX = 4_000
