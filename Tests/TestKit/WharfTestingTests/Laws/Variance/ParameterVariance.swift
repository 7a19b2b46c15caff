// Contravariance of parameters: a conformer may accept more than the contract passes, and never
// less.

// snippet.both
class Fuel {}
class Diesel: Fuel {}
final class Biodiesel: Diesel {}

class Vehicle {
    func fill(with fuel: Diesel) {}
}

#if CORRECTED
final class Lorry: Vehicle {
    // Any fuel, and so any diesel.
    override func fill(with fuel: Fuel) {}
}

func pump(_ fill: @escaping (Fuel) -> Void) -> (Diesel) -> Void { fill }
#else
final class Lorry: Vehicle {
    override func fill(with fuel: Biodiesel) {}  // expect-error: method does not override any
}

func pump(_ fill: @escaping (Biodiesel) -> Void) -> (Diesel) -> Void { fill }  // expect-error: cannot convert
#endif
// snippet.end
