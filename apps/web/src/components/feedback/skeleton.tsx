import classes from './skeleton.module.css'

interface SkeletonProps {
  readonly width?: string | number
  readonly height: string | number
  /** Says aloud what is loading. */
  readonly label?: string
}

/** A grey placeholder of the given size for a text or figure. */
export function Skeleton({ width, height, label }: SkeletonProps) {
  const box = <span className={classes.skeleton} style={{ width, height }} aria-hidden="true" />
  if (label === undefined) return box
  return (
    <div role="status">
      <span className="visually-hidden">{label}</span>
      {box}
    </div>
  )
}
