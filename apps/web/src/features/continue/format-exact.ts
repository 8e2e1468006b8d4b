/** Formats plain decimal text with all its digits, grouped by thousands: `1,234.5`. */
export function formatExact(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.')
  const digits = fraction.replace(/0+$/, '')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return digits === '' ? grouped : `${grouped}.${digits}`
}
