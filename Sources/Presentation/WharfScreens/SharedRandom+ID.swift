internal import WharfPrimitives

extension SharedRandom {
    /// Returns 128 random bits as hexadecimal digits.
    ///
    /// If the generator is cryptographically secure, the id cannot be guessed.
    func id() -> String {
        let (high, low) = draw { ($0.next(), $0.next()) }
        return Hexadecimal.text(high) + Hexadecimal.text(low)
    }
}
