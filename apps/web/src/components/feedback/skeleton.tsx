import classes from './skeleton.module.css'

interface SkeletonProps {
  readonly width?: string | number
  readonly height: string | number
  /** Text for screen readers that says which part is loading. */
  readonly label?: string
}

/** A grey placeholder with the given size for a text or number. */
export function Skeleton({ width, height, label }: SkeletonProps) {
  return (
    <span
      className={`bounded round-s block ${classes.skeleton}`}
      style={{ width, height }}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'status' })}
    >
      {label !== undefined && <span className="visually-hidden">{label}</span>}
    </span>
  )
}
