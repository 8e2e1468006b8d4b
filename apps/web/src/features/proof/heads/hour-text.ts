const FORMAT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})

/** Formats a publication's hour in UTC, as in its URL: `21 Nov 2026, 18:00 UTC`. */
export function hourText(hour: string): string {
  return `${FORMAT.format(new Date(hour))} UTC`
}
