import type { ReactNode } from 'react'
import classes from './option.module.css'

interface OptionProps {
  readonly type: 'radio' | 'checkbox'
  /** The group that a radio button belongs to. */
  readonly name?: string
  readonly title: string
  readonly note?: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  /** Stands at the end. */
  readonly children?: ReactNode
}

/** Something that can be on or off, as a card to press. */
export function Option({ type, name, title, note, isOn, onChange, children }: OptionProps) {
  return (
    <label className={classes.option}>
      <input type={type} name={name} checked={isOn} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      <span className={classes.words}>
        {title}
        {note !== undefined && <span className={classes.note}>{note}</span>}
      </span>
      {children}
    </label>
  )
}

/** Options that belong together, two in a row where there is room. */
export function Options({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className={classes.options}>
      <legend>{legend}</legend>
      {children}
    </fieldset>
  )
}
