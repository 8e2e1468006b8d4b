import type { ReactNode } from 'react'
import classes from './option.module.css'

interface OptionProps {
  readonly type: 'radio' | 'checkbox'
  readonly name?: string
  readonly title: string
  readonly note?: string
  readonly isOn: boolean
  readonly isDisabled?: boolean
  readonly onChange: (isOn: boolean) => void
  readonly children?: ReactNode
}

/** A checkbox or radio button as a card. */
export function Option({ type, name, title, note, isOn, isDisabled, onChange, children }: OptionProps) {
  return (
    <label className={`row gap-m p-s-m round-s on-raised semibold pointer row-high edge-inside ${classes.option}`}>
      <input
        type={type}
        name={name}
        checked={isOn}
        disabled={isDisabled}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span className="grow">
        {title}
        {note !== undefined && <span className="small block regular">{note}</span>}
      </span>
      {children}
    </label>
  )
}

/** A group of options, two per row if the screen is wide enough. */
export function Options({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className="columns">
      <legend className="mb-s semibold">{legend}</legend>
      {children}
    </fieldset>
  )
}

interface ChecksProps<Id> {
  readonly legend: string
  readonly choices: readonly { readonly id: Id; readonly title: string; readonly note?: string }[]
  readonly isOn: (id: Id) => boolean
  readonly isDisabled?: boolean | ((id: Id) => boolean)
  readonly onChange: (id: Id, isOn: boolean) => void
}

export function Checks<Id extends string | number>(props: ChecksProps<Id>) {
  const { legend, choices, isOn, isDisabled = false, onChange } = props
  return (
    <Options legend={legend}>
      {choices.map(({ id, ...words }) => (
        <Option
          key={id}
          type="checkbox"
          {...words}
          isOn={isOn(id)}
          isDisabled={typeof isDisabled === 'function' ? isDisabled(id) : isDisabled}
          onChange={(next) => onChange(id, next)}
        />
      ))}
    </Options>
  )
}
