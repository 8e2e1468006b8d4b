import { Link, type LinkProps } from '@tanstack/react-router'
import type { ComponentProps, ReactNode, Ref } from 'react'
import classes from './button.module.css'

interface Look {
  /** The look of the button: `quiet` for secondary actions, `danger` for actions that cannot be undone. */
  readonly look?: 'moon' | 'quiet' | 'danger'
  readonly wide?: boolean
  readonly tall?: boolean
}

/**
 * A button that can have focus even while it is `disabled`. The button uses `aria-disabled`, because browsers move the
 * focus away from a button with the `disabled` attribute.
 */
export function Button({
  look,
  wide,
  tall,
  className,
  type = 'button',
  disabled,
  onClick,
  ...rest
}: Look & ComponentProps<'button'>) {
  return (
    <button
      type={type}
      className={join(look, wide, tall, className)}
      {...rest}
      aria-disabled={disabled || undefined}
      // Handle clicks, because submitting the form with Enter also triggers a click.
      onClick={disabled ? (event) => event.preventDefault() : onClick}
    />
  )
}

export function ButtonLink({
  look,
  wide,
  tall,
  className,
  ...rest
}: Look &
  LinkProps & {
    className?: string
    onClick?: (() => void) | undefined
    children: ReactNode
    ref?: Ref<HTMLAnchorElement>
  }) {
  return <Link className={join(look, wide, tall, className)} {...rest} />
}

function join(look: Look['look'], wide?: boolean, tall?: boolean, className?: string): string {
  const parts = [
    classes.button,
    look !== undefined && classes[look],
    wide && classes.wide,
    tall && classes.tall,
    className,
  ]
  return parts.filter(Boolean).join(' ')
}
