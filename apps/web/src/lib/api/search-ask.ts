/** Whether somebody on another screen asked for the search, which home then gives the focus to. */
let isAsked = false

export function askForSearch(): void {
  isAsked = true
}

/** True once for each time that the search was asked for. */
export function takeSearchAsk(): boolean {
  const was = isAsked
  isAsked = false
  return was
}
