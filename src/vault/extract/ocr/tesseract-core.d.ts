/** The part of the WebAssembly build of Tesseract that the vault uses; the package has no types. */
declare module 'tesseract.js-core/tesseract-core-simd-lstm.js' {
  export type TesseractApi = {
    Init(dataPath: string, languages: string, engineMode: number): number;
    SetVariable(name: string, value: string): boolean;
    SetPageSegMode(mode: number): void;
    /** Loads the file `/input`; 0 if it could be decoded. The orientation is that of EXIF. */
    SetImageFile(orientation: number, radians: number): number;
    Recognize(monitor: null): number;
    GetTSVText(page: number): string;
    Clear(): void;
    End(): void;
  };
  export type TesseractModule = {
    FS: { writeFile(path: string, data: Uint8Array): void; unlink(path: string): void };
    TessBaseAPI: new () => TesseractApi;
  };
  const createTesseract: (options: {
    print: (line: string) => void;
    printErr: (line: string) => void;
  }) => Promise<TesseractModule>;
  // biome-ignore lint/style/noDefaultExport: the package is CommonJS with one function
  export default createTesseract;
}
