// Run a WebAssembly program of the command line: node tools/run_wasm.mjs <program> [argument]…
// It may read and write files below the folder that it is run in.
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const args = process.argv.slice(2);
const wasi = new WASI({
    version: 'preview1', args, preopens: { '.': '.' }, returnOnExit: true,
});
const imports = { wasi_snapshot_preview1: wasi.wasiImport };
const { instance } = await WebAssembly.instantiate(await readFile(args[0]), imports);
process.exitCode = wasi.start(instance);
