import { priceParts } from '@papermoon/format'
import classes from './price.module.css'

/**
 * Shows a price in SOL. For small prices, a subscript counts the leading zeros. The title, screen readers and the
 * clipboard get the exact price.
 */
export function Price({ value, decimals }: { value: string; decimals?: number }) {
  const { head, zeros, tail, exact } = priceParts(value, decimals)
  if (zeros === null) return <span title={exact}>{head}</span>
  return (
    <span className="relative" title={exact}>
      <span className={classes.shown} aria-hidden="true">
        {head}
        <sub>{zeros}</sub>
        {tail}
      </span>
      <span className={classes.exact}>{exact}</span>
    </span>
  )
}
