import Testing
import WharfRandom

/// The policy against a slow, literal model of RFC 9111, RFC 5861 and RFC 9213.
@Suite struct PolicyModelTests {
    @Test(arguments: 0..<16 as Range<UInt64>)
    func policyAgreesWithTheModelOfTheRFC(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for number in 0..<250 {
            let exchange = ModelExchange.random(&random)
            let differences = exchange.differences()
            // One exchange of a seed suffices: the others mostly have the same cause.
            guard differences.isEmpty else {
                Issue.record("exchange \(number): \(differences.joined(separator: "; "))\n\(exchange)")
                return
            }
        }
    }
}
