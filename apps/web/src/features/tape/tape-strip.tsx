import classes from './tape.module.css'

const SQUARES: Readonly<Record<string, readonly [state: string, word: string, sign: string]>> = {
  '🟩': ['up', 'rose', '▲'],
  '🟥': ['down', 'fell', '▼'],
  '⬜': ['level', 'unchanged', ''],
  '⬛': ['out', 'not bought', ''],
}

/** Shows a game as a row of squares in the player's colours. Has a text description. */
export function TapeStrip({ strip }: { strip: string }) {
  const squares = Array.from(strip, (square) => SQUARES[square] ?? ['out', '', ''])
  return (
    <span
      className={`row stretch gap-xs centered full ${classes.strip}`}
      role="img"
      aria-label={`Strip: ${squares.map(([, word]) => word).join(', ')}`}
    >
      {squares.map(([state, , sign], index) => (
        <span key={index} data-state={state}>
          {sign}
        </span>
      ))}
    </span>
  )
}
