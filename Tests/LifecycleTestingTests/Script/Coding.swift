import Foundation

func encoded(_ value: some Encodable) throws -> Data {
  try JSONEncoder().encode(value)
}

func decoded<Value: Decodable>(_ data: Data) throws -> Value {
  try JSONDecoder().decode(Value.self, from: data)
}
