import { useState } from 'react'
import { Change } from '../../components/figures/change.tsx'
import { Option, Options } from '../../components/form/option.tsx'
import { Segmented } from '../../components/form/segmented.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { chooseScheme, useChosenScheme } from '../../lib/ui/color-scheme.ts'
import { switchSingleKeys, useSingleKeys } from '../../lib/ui/hotkeys.ts'
import classes from './appearance.module.css'
import { chooseUpDownColors, storedUpDownColors, type UpDownColors } from './up-down-colors.ts'

const SCHEMES = [
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
  { value: 'auto', label: 'Same as my device' },
] as const

/**
 * Settings for the colour scheme, the colours of rising and falling values, and shortcuts. This browser stores them.
 */
export function Appearance() {
  return (
    <Panel title="Colours">
      <div className="row gap-wide wrap between semibold">
        <span>Theme</span>
        <Segmented label="Theme" options={SCHEMES} value={useChosenScheme()} onChange={chooseScheme} />
      </div>
      <UpDown />
      <Shortcuts />
    </Panel>
  )
}

function Shortcuts() {
  return (
    <div className={classes.keys}>
      <Options legend="Keyboard shortcuts">
        <Option
          type="checkbox"
          title="Single-key shortcuts"
          note="/ searches, b buys and s sells on a token’s page, ? shows all shortcuts"
          isOn={useSingleKeys()}
          onChange={switchSingleKeys}
        />
      </Options>
    </div>
  )
}

const PAIRS = [
  { pair: 'classic', title: 'Teal and coral' },
  { pair: 'safe', title: 'Blue and orange', note: 'Easier to tell apart if you are colour-blind' },
] as const

function UpDown() {
  const [colors, setColors] = useState(storedUpDownColors)
  const choose = (part: Partial<UpDownColors>) => {
    const next = { ...colors, ...part }
    chooseUpDownColors(next)
    setColors(next)
  }
  return (
    <Options legend="Colours for price changes">
      {PAIRS.map(({ pair, ...words }) => (
        <Option
          key={pair}
          type="radio"
          name="up-down"
          {...words}
          isOn={colors.pair === pair}
          onChange={() => choose({ pair })}
        >
          <span className={`fixed round ${classes.swatches} ${classes[pair]}`} aria-hidden="true" />
        </Option>
      ))}
      <Option
        type="checkbox"
        title="Swap the two colours"
        note="As on the Tokyo and Shanghai stock exchanges"
        isOn={colors.isSwapped}
        onChange={(isSwapped) => choose({ isSwapped })}
      />
      <p className={`row gap-m centered dim ${classes.sample}`}>
        Preview: <Change percent="12.4" /> <Change percent="-8.15" />
      </p>
    </Options>
  )
}
