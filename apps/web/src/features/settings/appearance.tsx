import { useMantineColorScheme } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Change } from '../../components/change.tsx'
import { Panel } from '../../components/panel.tsx'
import { Segmented } from '../../components/segmented.tsx'
import classes from './appearance.module.css'
import { chooseUpDownColors, storedUpDownColors, type UpDownColors } from './up-down-colors.ts'

const SCHEMES = [
  { value: 'dark', label: 'Night' },
  { value: 'light', label: 'Paper' },
  { value: 'auto', label: 'As my device' },
] as const

/** How the fair looks to this player, in this browser. */
export function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Panel title="Colours">
      <div className={classes.row}>
        <span>The page</span>
        <Segmented label="Colours of the page" options={SCHEMES} value={colorScheme} onChange={setColorScheme} />
      </div>
      <UpDown />
    </Panel>
  )
}

function UpDown() {
  const [colors, setColors] = useState(storedUpDownColors)
  const choose = (part: Partial<UpDownColors>) => {
    const next = { ...colors, ...part }
    chooseUpDownColors(next)
    setColors(next)
  }
  return (
    <fieldset className={classes.upDown}>
      <legend>Up and down</legend>
      <Pair
        isChosen={colors.pair === 'classic'}
        onChoose={() => choose({ pair: 'classic' })}
        swatches={classes.classic}
      >
        Teal and coral
      </Pair>
      <Pair isChosen={colors.pair === 'safe'} onChoose={() => choose({ pair: 'safe' })} swatches={classes.safe}>
        Blue and orange
        <span className={classes.note}>Told apart by colour-blind eyes</span>
      </Pair>
      <label className={classes.option}>
        <input
          type="checkbox"
          checked={colors.isSwapped}
          onChange={(event) => choose({ isSwapped: event.currentTarget.checked })}
        />
        <span className={classes.words}>
          Swap up and down
          <span className={classes.note}>As on the boards of Tokyo and Shanghai</span>
        </span>
      </label>
      <p className={classes.sample}>
        So it looks: <Change percent="12.4" /> <Change percent="-8.15" />
      </p>
    </fieldset>
  )
}

interface PairProps {
  readonly isChosen: boolean
  readonly onChoose: () => void
  readonly swatches: string | undefined
  readonly children: ReactNode
}

function Pair({ isChosen, onChoose, swatches, children }: PairProps) {
  return (
    <label className={classes.option}>
      <input type="radio" name="up-down" checked={isChosen} onChange={onChoose} />
      <span className={classes.words}>{children}</span>
      <span className={`${classes.swatches} ${swatches}`} aria-hidden="true" />
    </label>
  )
}
