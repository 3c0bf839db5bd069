type Command = 'decodeUplink' | 'encodeDownlink' | 'decodeDownlink';

type FaultCode = 'decoder_error' | 'decoder_timeout' | 'decoder_no_data' | 'decoder_missing' | 'decoder_busy';

/** The reason why a call has no result. */
export interface EngineFault {
  code: FaultCode;
  message: string;
  line?: number | undefined;
  column?: number | undefined;
}

/** A script's answer as JSON text, or its fault; with the time it took. */
export type EngineResult = { text: string; ms: number } | { fault: EngineFault; ms: number };

export interface EngineCall {
  command: Command | 'entries';
  /** The argument as JSON. */
  input: string;
  withLog: boolean;
}

/** Calls of one script, sent to one worker. */
export interface Batch {
  id: number;
  key: string;
  /** Each script is sent once to each worker. */
  script: string | undefined;
  calls: EngineCall[];
  /** True when the worker drops all scripts it knows before this one. */
  forget: boolean;
}

/** Results of a batch, starting at the index `from`. */
export interface BatchPart {
  id: number;
  from: number;
  results: EngineResult[];
}

/** The compiled engine; types of WebAssembly only exist among those of browsers. */
export type EngineCode = object;

export interface WorkerSetup {
  wasm: EngineCode;
  /** The number of calls that this worker has started, so that the pool notices one that does not end. */
  begun: Int32Array;
}
