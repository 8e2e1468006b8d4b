import classes from './medal.module.css'

/** A gold, silver or bronze medal. */
export function Medal({ rank }: { rank: number }) {
  return (
    <svg className={classes.medal} data-rank={rank} viewBox="0 0 64 84" aria-hidden="true" focusable="false">
      <path className={classes.ribbon} d="M14 0h15l9 30H25ZM50 0H35l-9 30h13Z" />
      <path className={classes.fold} d="M32 10l6.500 21h-13Z" />
      <path
        className={classes.coin}
        d="M32 28l5.400 3.900 6.600-.6 2.700 6.100 6 2.800-.7 6.600 3.900 5.400-3.900 5.400.7 6.600-6 2.800-2.700 6.100-6.600-.7L32 76.200l-5.400-3.800-6.600.7-2.700-6.100-6-2.800.7-6.600-3.900-5.400 3.900-5.400-.7-6.600 6-2.800 2.700-6.100 6.600.6Z"
      />
      <circle className={classes.rim} cx="32" cy="52.200" r="16" />
      <text className={classes.number} x="32" y="59.500">
        {rank}
      </text>
    </svg>
  )
}
