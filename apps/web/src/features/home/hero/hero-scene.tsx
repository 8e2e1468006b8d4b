import classes from './hero-scene.module.css'

const STRINGS = 'M690 -600V38M1110 -600V107M1040 -600V35'
const STRINGS_BY_WORDS = 'M560 -600V71M470 -600V31M380 -600V102'
const STARS =
  'M690.0 38.0L692.6 44.4L699.5 44.9L694.3 49.4L695.9 56.1L690.0 52.5L684.1 56.1L685.7 49.4L680.5 44.9L687.4 44.4ZM1110.0 107.0L1113.4 115.3L1122.4 116.0L1115.6 121.8L1117.6 130.5L1110.0 125.8L1102.4 130.5L1104.4 121.8L1097.6 116.0L1106.6 115.3ZM1040.0 35.0L1042.4 40.7L1048.6 41.2L1043.9 45.3L1045.3 51.3L1040.0 48.0L1034.7 51.3L1036.1 45.3L1031.4 41.2L1037.6 40.7Z'
const STARS_BY_WORDS =
  'M560.0 71.0L564.0 80.5L574.3 81.4L566.4 88.1L568.8 98.1L560.0 92.8L551.2 98.1L553.6 88.1L545.7 81.4L556.0 80.5ZM470.0 31.0L472.4 36.7L478.6 37.2L473.9 41.3L475.3 47.3L470.0 44.0L464.7 47.3L466.1 41.3L461.4 37.2L467.6 36.7ZM380.0 102.0L382.1 107.1L387.6 107.5L383.4 111.1L384.7 116.5L380.0 113.6L375.3 116.5L376.6 111.1L372.4 107.5L377.9 107.1Z'
const MOON = 'M900 52A84 84 0 1 0 951 152 66 66 0 0 1 900 52Z'
const FACE = 'M838 122q8-8 17 0M843 166q14 9 29-2M812 146q5 5 11 0'
const SPOKES =
  'M0 0L78.0 0.0M0 0L67.5 39.0M0 0L39.0 67.5M0 0L0.0 78.0M0 0L-39.0 67.5M0 0L-67.5 39.0M0 0L-78.0 0.0M0 0L-67.5 -39.0M0 0L-39.0 -67.5M0 0L-0.0 -78.0M0 0L39.0 -67.5M0 0L67.5 -39.0'
const CARS =
  'M71.0 0.0a7 7 0 1 0 14 0a7 7 0 1 0 -14 0M60.5 39.0a7 7 0 1 0 14 0a7 7 0 1 0 -14 0M32.0 67.5a7 7 0 1 0 14 0a7 7 0 1 0 -14 0M-7.0 78.0a7 7 0 1 0 14 0a7 7 0 1 0 -14 0M-46.0 67.5a7 7 0 1 0 14 0a7 7 0 1 0 -14 0M-74.5 39.0a7 7 0 1 0 14 0a7 7 0 1 0 -14 0M-85.0 0.0a7 7 0 1 0 14 0a7 7 0 1 0 -14 0M-74.5 -39.0a7 7 0 1 0 14 0a7 7 0 1 0 -14 0M-46.0 -67.5a7 7 0 1 0 14 0a7 7 0 1 0 -14 0M-7.0 -78.0a7 7 0 1 0 14 0a7 7 0 1 0 -14 0M32.0 -67.5a7 7 0 1 0 14 0a7 7 0 1 0 -14 0M60.5 -39.0a7 7 0 1 0 14 0a7 7 0 1 0 -14 0'
const BUNTING = 'M640 250Q920.0 286.0 1200 186'
const FLAGS_MOON =
  'M682.9 254.7L709.1 256.8L696.0 272.8ZM757.6 259.1L783.7 259.5L770.7 276.3ZM832.3 258.7L858.4 257.4L845.3 275.0ZM906.9 253.4L933.1 250.4L920.0 268.9ZM981.6 243.3L1007.7 238.6L994.7 258.0ZM1056.3 228.4L1082.4 222.0L1069.3 242.2ZM1130.9 208.6L1157.1 200.5L1144.0 221.6Z'
const FLAGS_PAPER =
  'M645.6 250.7L671.7 253.6L658.7 269.2ZM720.3 257.5L746.4 258.8L733.3 275.1ZM794.9 259.5L821.1 259.1L808.0 276.3ZM869.6 256.7L895.7 254.5L882.7 272.6ZM944.3 249.0L970.4 245.1L957.3 264.1ZM1018.9 236.4L1045.1 230.9L1032.0 250.7ZM1093.6 219.1L1119.7 211.9L1106.7 232.5ZM1168.3 196.9L1194.4 188.0L1181.3 209.4Z'

/**
 * Draws the banner's picture. Each moving part of the picture is a separate image, so that the browser can move it
 * without repainting.
 */
export function HeroScene() {
  return (
    <div data-scene className={`absolute ${classes.scene}`} aria-hidden="true">
      <svg className={`cover full high ${classes.layer}`} viewBox="0 0 1200 400" focusable="false">
        <title>Stars</title>
        <path className={classes.string} d={STRINGS} />
        <path fill="var(--pm-moon)" d={STARS} />
        <g className={classes.byWords}>
          <path className={classes.string} d={STRINGS_BY_WORDS} />
          <path fill="var(--pm-moon)" d={STARS_BY_WORDS} />
        </g>
        <path
          className={classes.paper}
          fill="var(--pm-hill-far)"
          d="M0 318Q150 250 330 300T640 282T930 276T1200 262V400H0Z"
        />
      </svg>
      <Moon />
      <Wheel />
      <svg className={`cover full high ${classes.layer}`} viewBox="0 0 1200 400" focusable="false">
        <title>A tent and flags</title>
        <path className={classes.paper} fill="var(--pm-hill-mid)" d="M0 352Q200 296 420 336T800 322T1200 318V400H0Z" />
        <g className={classes.paper}>
          <path fill="var(--pm-tent)" d="M690 366V300Q735 284 770 236Q805 284 850 300V366Z" />
          <path
            fill="var(--pm-tent-stripe)"
            d="M712 366V294Q741 278 770 236Q756 280 744 296V366ZM796 366V296Q784 280 770 236Q799 278 828 294V366Z"
          />
          <path fill="var(--pm-hill-near)" d="M758 366Q762 330 770 322Q778 330 782 366Z" />
          <path fill="var(--pm-moon)" d="M769 238V206h2V214l22 7-22 8v9Z" />
        </g>
        <path className={classes.string} d={BUNTING} />
        <path fill="var(--pm-moon)" d={FLAGS_MOON} />
        <path fill="var(--pm-tent)" d={FLAGS_PAPER} />
        <path className={classes.paper} fill="var(--pm-hill-near)" d="M0 384Q180 352 400 372T780 362T1200 366V400H0Z" />
      </svg>
    </div>
  )
}

function Moon() {
  return (
    <svg
      className={`cover full high ${classes.layer} swings ${classes.swing}`}
      viewBox="0 0 1200 400"
      focusable="false"
    >
      <title>The moon</title>
      <path className={classes.string} d="M872 -600V62" />
      <path className={classes.moon} fill="var(--pm-moon)" d={MOON} />
      <path fill="none" stroke="#8a5d0a" strokeWidth="4" strokeLinecap="round" d={FACE} />
    </svg>
  )
}

function Wheel() {
  return (
    <>
      <svg className={`cover full high ${classes.layer}`} viewBox="0 0 1200 400" focusable="false">
        <title>Legs of the Ferris wheel</title>
        <path className={classes.frame} strokeWidth="5" d="M1046 262L1012 372M1046 262L1080 372" />
      </svg>
      <svg className={`absolute ${classes.wheel}`} viewBox="-90 -90 180 180" focusable="false">
        <title>Ferris wheel</title>
        <circle className={classes.frame} strokeWidth="4" r="78" />
        <path className={classes.frame} strokeWidth="2.5" d={SPOKES} />
        <path fill="var(--pm-tent-stripe)" d={CARS} />
      </svg>
    </>
  )
}
