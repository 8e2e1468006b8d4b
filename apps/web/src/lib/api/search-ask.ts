/** Whether another screen requested the search; the home screen then focuses it. */
let isRequested = false

export function requestSearch(): void {
  isRequested = true
}

/** Returns true once per request for the search. */
export function takeSearchRequest(): boolean {
  const was = isRequested
  isRequested = false
  return was
}
