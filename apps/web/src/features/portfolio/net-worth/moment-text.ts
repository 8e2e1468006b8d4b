const FORMAT = new Intl.DateTimeFormat([], { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })

/** Formats an ISO time as day, month and time of day in the visitor's locale. */
export function momentText(time: string): string {
  return FORMAT.format(new Date(time))
}
