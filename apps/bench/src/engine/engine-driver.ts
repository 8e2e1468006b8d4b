import { driveOnDemand } from './drive-on-demand.ts'
import { openEngine } from './open-engine.ts'

/** The trading engine in a separate process. */
driveOnDemand((address) => openEngine(address).trade)
