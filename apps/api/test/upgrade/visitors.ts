/** When the market of `market.sql` was left. */
export const LEFT_AT = new Date('2024-05-09T10:05:02.345Z')

/** Who was signed in: the cookie, and the name it stands for. */
export const sessions: readonly (readonly [token: string, username: string])[] = [
  ['k9JN0Z5ClfjTbimQDmimx_xgJn7JwQL97P6_kU7YXY4', 'ada'],
  ['ce5QHRJZk3Wgq7qyo5nNEu3FhI6MpLZO-ze6XPgNHpg', 'ada'],
  ['X6VngVN9DqfdkuKRfUMCMn158nNliUAWmkopXmRPrAM', 'admin'],
  ['FiXPRmRlDMK9IoTcV6CwVfIMwVx0xUT94_8Ur9B9q-c', 'Mоon 🌙 Ⅷ'],
  ['gVtqX4lklU-OYqreF0I-gs-ah6BHqcVgpUwj0q1YZns', 'eve'],
  ['FNIERkqYctPamaiRpydmEY4pa3CxMhFKJMst_rBWgig', 'gone'],
]

/** Names, addresses and passwords as nobody could choose them today, and ordinary ones. */
export const logins: readonly (readonly [email: string, password: string, username: string])[] = [
  ['ada@papermoon.example', 'secret-1', 'ada'],
  ['admin@papermoon.example', '123456', 'admin'],
  ['<odd@papermoon.example', '      ', 'Mоon 🌙 Ⅷ'],
  ['Eve@Papermoon.example', 'secret-1', 'eve'],
]

/** Of ada, for reading and trading; of another player, for reading. */
export const keys = {
  trade: 'pm_u3dM9ApTXHMGlq9XZ91G3aswz90g15ARnfZfYApm0Tc',
  read: 'pm_-3X20rboqhFOkHvCqMMbMFHUS--0d4zjIAwoeDvi9bE',
}

/** That ada's browser signed in before. */
export const knownBrowser = 'AkLH0Z_WeimLXoO2N4_g53ViKkQ27Z9FZJq_pA'

/** A reset that the player `gone` asked for half a minute before, and tried once wrongly. */
export const reset = {
  code: '409812',
  token: 'UVzGXV0NEbGLPt0eTUGgmkms7_fICUla5zRftx-illo',
  email: 'gone@papermoon.example',
}

export const tokens = { moon: 1, rugged: 2, hidden: 3 }
