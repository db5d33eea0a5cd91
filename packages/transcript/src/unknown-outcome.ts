/** What a call is answered with when nothing is known of how it ended. */
export const unknownOutcomeText =
  'No result was recorded for this call: the session broke off. The call may have run, in whole or in part; its outcome is ' +
  'unknown. Check the present state before repeating it.'
