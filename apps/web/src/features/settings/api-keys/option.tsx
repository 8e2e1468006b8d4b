import type { ReactNode } from 'react'
import classes from './option.module.css'

interface OptionProps {
  readonly type: 'radio' | 'checkbox'
  /** The radio group's name. */
  readonly name?: string
  readonly title: string
  readonly note?: string
  readonly isOn: boolean
  readonly isDisabled?: boolean
  readonly onChange: (isOn: boolean) => void
  /** Trailing content. */
  readonly children?: ReactNode
}

/** A checkbox or radio button as a card. */
export function Option({ type, name, title, note, isOn, isDisabled, onChange, children }: OptionProps) {
  return (
    <label className={classes.option}>
      <input
        type={type}
        name={name}
        checked={isOn}
        disabled={isDisabled}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span className={classes.words}>
        {title}
        {note !== undefined && <span className={classes.note}>{note}</span>}
      </span>
      {children}
    </label>
  )
}

/** A group of options, two per row if there is room. */
export function Options({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className={classes.options}>
      <legend>{legend}</legend>
      {children}
    </fieldset>
  )
}
