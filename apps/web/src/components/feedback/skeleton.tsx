import classes from './skeleton.module.css'

interface SkeletonProps {
  readonly width?: string | number
  readonly height: string | number
  /** What is loading, for screen readers. */
  readonly label?: string
}

/** A grey placeholder of the given size for a text or figure. */
export function Skeleton({ width, height, label }: SkeletonProps) {
  return (
    <span
      className={classes.skeleton}
      style={{ width, height }}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'status' })}
    >
      {label !== undefined && <span className="visually-hidden">{label}</span>}
    </span>
  )
}
