import type { ReactNode } from 'react'
import { Segmented } from './segmented.tsx'

interface SealChoiceProps<T extends string> {
  readonly label: string
  readonly terms: readonly { readonly value: T; readonly label: string }[]
  readonly term: T
  readonly onTerm: (term: T) => void
  /** Label of the option to seal the creator's own holding, or null if the creator has no tokens. */
  readonly bagText: string | null
  readonly isBagSealed: boolean
  readonly onBag: (isSealed: boolean) => void
  /** Text that explains the choice. */
  readonly children: ReactNode
}

export function SealChoice<T extends string>(props: SealChoiceProps<T>) {
  const { label, terms, term, onTerm, bagText, isBagSealed, onBag, children } = props
  return (
    <div className="stack left gap-s">
      <span className="semibold" aria-hidden="true">
        {label}
      </span>
      <div>
        <Segmented label={label} options={terms} value={term} onChange={onTerm} />
      </div>
      {bagText !== null && (
        <label className="row gap-s control breaks pointer">
          <input type="checkbox" checked={isBagSealed} onChange={({ currentTarget }) => onBag(currentTarget.checked)} />
          {bagText}
        </label>
      )}
      <p className="small" role="status">
        {children}
      </p>
    </div>
  )
}
