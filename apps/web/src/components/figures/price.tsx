import { priceParts } from '@papermoon/format'

/** A price in SOL. Leading zeros of small prices are counted in a subscript; the title has the exact value. */
export function Price({ value, decimals }: { value: string; decimals?: number }) {
  const { head, zeros, tail, exact } = priceParts(value, decimals)
  if (zeros === null) return <span title={exact}>{head}</span>
  return (
    <span title={exact}>
      <span aria-hidden="true">
        {head}
        <sub>{zeros}</sub>
        {tail}
      </span>
      <span className="visually-hidden">{exact}</span>
    </span>
  )
}
