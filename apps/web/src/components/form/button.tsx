import { Link, type LinkProps } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import classes from './button.module.css'

interface Look {
  /** `quiet`: beside or instead of a main action. */
  readonly look?: 'moon' | 'quiet'
  readonly wide?: boolean
  readonly tall?: boolean
}

/**
 * A button of the funfair: pressed, it goes down. While `disabled` it does nothing, and says so, but it keeps the
 * keyboard's focus: a browser takes the focus from what the `disabled` attribute closes.
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
      // Enter in a field of the form comes here too.
      onClick={disabled ? (event) => event.preventDefault() : onClick}
    />
  )
}

/** A link that looks like a button. */
export function ButtonLink({
  look,
  wide,
  tall,
  className,
  ...rest
}: Look & LinkProps & { className?: string; children: ReactNode }) {
  return <Link className={join(look, wide, tall, className)} {...rest} />
}

function join(look: Look['look'], wide?: boolean, tall?: boolean, className?: string): string {
  const parts = [
    classes.button,
    look === 'quiet' && classes.quiet,
    wide && classes.wide,
    tall && classes.tall,
    className,
  ]
  return parts.filter(Boolean).join(' ')
}
