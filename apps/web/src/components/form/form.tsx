import type { ComponentProps, FormEvent } from 'react'

interface FormProps<Name extends string> extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  /** Whether to ignore submits, because an earlier one is pending or something is missing. */
  readonly isBusy?: boolean
  readonly onSend: (fields: Record<Name, string>, form: HTMLFormElement) => void
}

/** A form that calls `onSend` with the texts of its fields that have a name. */
export function Form<Name extends string = never>({ isBusy = false, onSend, ...rest }: FormProps<Name>) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // Stop the event, because React events bubble through portals and this one would also submit an enclosing form.
    event.stopPropagation()
    const fields = Object.fromEntries(new FormData(event.currentTarget))
    if (!isBusy) onSend(fields as Record<Name, string>, event.currentTarget)
  }
  return <form {...rest} onSubmit={submit} />
}
