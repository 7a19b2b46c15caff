internal import WharfPrimitives

extension SharedRandom {
    /// 128 bits as hexadecimal digits: a caller that was not told it can't guess it, if the generator is secure.
    func id() -> String {
        let (high, low) = draw { ($0.next(), $0.next()) }
        return Hexadecimal.text(high) + Hexadecimal.text(low)
    }
}
