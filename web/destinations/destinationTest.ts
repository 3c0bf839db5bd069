import { destinationsApi } from '@telltale/domain/destinations/contract.ts';
import { call } from '../api/call.ts';
import type { TestSubject } from '../data-sources/useConnectionTest.ts';

/** Sends a test notice to the destination, with the saved or the typed settings. */
export const destinationTest: TestSubject = {
  text: {
    button: 'Send a test',
    success: 'Test sent.',
    failed: 'Failed sending the test:',
    unknown: 'Unknown error occurred while sending the test. Please try again later.',
    storedHint: 'Sends a test notice with the saved settings.',
    typedHint: 'Sends a test notice with the settings as typed, without saving.',
    storedWorks: 'The destination has accepted the notice.',
    typedWorks: 'The destination has accepted the notice. The settings are not saved yet.',
  },
  testStored: (id, signal) => call(destinationsApi.test, { params: { id } }, { signal }),
  testTyped: (destination, signal) => call(destinationsApi.testUnsaved, { body: destination }, { signal }),
};
