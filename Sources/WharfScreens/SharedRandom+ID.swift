internal import WharfPrimitives

extension SharedRandom {
    /// 128 random bits as hexadecimal digits.
    ///
    /// A caller that was not given the id can't guess it, if the generator is secure.
    func id() -> String {
        let (high, low) = draw { ($0.next(), $0.next()) }
        return Hexadecimal.text(high) + Hexadecimal.text(low)
    }
}
