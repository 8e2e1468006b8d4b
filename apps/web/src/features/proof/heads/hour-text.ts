const FORMAT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})

/** A publication's hour, by the clock that its address goes by: `21 Nov 2026, 18:00 UTC`. */
export function hourText(hour: string): string {
  return `${FORMAT.format(new Date(hour))} UTC`
}
