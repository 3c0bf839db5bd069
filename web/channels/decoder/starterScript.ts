/** The script of an empty editor: works as it is, and shows the input and output of a decoder. */
export const starterScript = `// Called for each message of bytes (LoRa Alliance TS013).
// input.bytes: numbers from 0 to 255, input.fPort, input.recvTime (Date), input.device,
// input.variables: texts by name, of the device
function decodeUplink(input) {
  var bytes = input.bytes;
  if (bytes.length < 3) return { errors: ['The message is too short.'] };
  var temperature = ((bytes[0] << 24) >> 16) | bytes[1];
  return {
    data: {
      temperature: temperature / 10,
      humidity: bytes[2] / 2,
    },
    warnings: [],
  };
}

// Called for commands whose payload is a JSON object: input.data, input.fPort, input.variables
function encodeDownlink(input) {
  return { bytes: [input.data.on ? 1 : 0], fPort: input.fPort };
}
`;
