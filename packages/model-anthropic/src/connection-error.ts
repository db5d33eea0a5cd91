import { ModelError, type ModelErrorCode } from '@x/contract'

/** Makes the error of a request that got no answer, or lost it: by the system's codes in the chain of causes. */
export function toConnectionError(failure: unknown): ModelError {
  const chain = causes(failure)
  const code = chain.map(codeOf).find((value) => value !== '') ?? ''
  const message = chain.at(-1)?.message ?? String(failure)
  const kind = kindOf(code, chain)
  return new ModelError(
    `${kind.what}: ${message}${code === '' || message.includes(code) ? '' : ` (${code})`}`,
    {
      code: kind.code,
      status: null,
      isRetryable: kind.isRetryable,
    },
  )
}

interface Kind {
  readonly code: ModelErrorCode
  readonly isRetryable: boolean
  readonly what: string
}

const certificate =
  /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)/
// A fetch may have limits of its own on silence.
const silent = /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/

function kindOf(code: string, chain: readonly Error[]): Kind {
  if (certificate.test(code)) {
    const what =
      'The certificate of the model service was not accepted (NODE_EXTRA_CA_CERTS adds authorities)'
    return { code: 'connection_lost', isRetryable: false, what }
  }
  if (silent.test(code))
    return { code: 'stalled', isRetryable: true, what: 'The model service stayed silent' }
  if (code === 'ERR_INVALID_URL' || isWrongUse(chain)) {
    return { code: 'invalid_request', isRetryable: false, what: 'The request could not be made' }
  }
  return { code: 'connection_lost', isRetryable: true, what: 'The connection to the model service failed' }
}

// Bad headers and addresses are reported as a TypeError: by Node with a code of its own, by fetch without one.
function isWrongUse(chain: readonly Error[]): boolean {
  // `bad port` is an Error of its own: a port that no client may speak to, whatever listens there.
  return chain.some(
    (error) =>
      (error instanceof TypeError || error.message === 'bad port') &&
      /invalid (header|url|character in header)|unknown scheme|is an invalid|includes credentials|ByteString|bad port/i.test(
        error.message,
      ),
  )
}

function causes(failure: unknown): readonly Error[] {
  const chain: Error[] = []
  let current = failure
  while (current instanceof Error && chain.length < 8) {
    chain.push(current)
    current = current instanceof AggregateError ? current.errors[0] : current.cause
  }
  return chain
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}
