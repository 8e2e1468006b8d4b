/** Whether another screen requested the search; the home screen then focuses it. */
let isAsked = false

export function askForSearch(): void {
  isAsked = true
}

/** Returns true once per request for the search. */
export function takeSearchRequest(): boolean {
  const was = isAsked
  isAsked = false
  return was
}
