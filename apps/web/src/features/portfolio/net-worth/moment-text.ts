const FORMAT = new Intl.DateTimeFormat([], { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })

/** An ISO time as day, month and time of day, as the player's own country writes them. */
export function momentText(time: string): string {
  return FORMAT.format(new Date(time))
}
