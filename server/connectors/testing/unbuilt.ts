/**
 * Packages for tests (never for `npm start`) that are not built for every platform, with the platforms they are built for.
 * tests/platforms.test.ts compares this with package-lock.json.
 */
export const builtFor: Readonly<Record<string, readonly string[]>> = { chdb: ['linux x64'] };

const here = `${process.platform} ${process.arch}`;

/** The reason why a package cannot exist on this platform; undefined where it can. */
export const unbuilt = (name: string, platform = here): string | undefined =>
  builtFor[name]?.includes(platform) === false ? `${name} has no build for ${platform}` : undefined;

/** True when the name of a suite says that it cannot run on this platform; no other skip is excused where everything is installed. */
export const isExcused = (testName: string, platform = here): boolean =>
  Object.keys(builtFor).some((name) => {
    const reason = unbuilt(name, platform);
    return reason !== undefined && testName.includes(`(${reason})`);
  });
