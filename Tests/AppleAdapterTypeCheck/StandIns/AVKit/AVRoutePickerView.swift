// As in https://developer.apple.com/documentation/avkit/avroutepickerview, without behavior.
public import UIKit

@MainActor open class AVRoutePickerView: UIView {
    open var prioritizesVideoDevices = false
}
